import {
  appearanceChanged,
  type BroadcastMessage,
  broadcastMessageErrors,
  type ContextOf,
  createBroadcastMessage,
  deleteBroadcastMessage,
  getBroadcastMessage,
  invalidRecord,
  listBroadcastMessages,
  onlyGiven,
  type Page,
  type ParsedOf,
  updateBroadcastMessage,
} from '@moothall/contracts';
import { addWithin, Counters, changeDocument, findPage, newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { BroadcastMessageDocument } from './broadcast-message.schema';

const most = 1000;
const hourMs = 3_600_000;
const defaults = {
  color: '#E75E40',
  font: '#FFFFFF',
  theme: 'indigo',
  targetAccessLevels: [],
  targetPath: null,
  broadcastType: 'banner',
  dismissable: false,
} as const;

/** Messages of administrators to all users. See docs/api/instance.md#7. */
@Controller()
export class BroadcastMessages {
  constructor(
    @InjectModel('BroadcastMessage') private readonly model: Model<BroadcastMessageDocument>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  @Handles(listBroadcastMessages)
  async list(
    _: ContextOf<typeof listBroadcastMessages>,
    input: ParsedOf<typeof listBroadcastMessages>,
  ): Promise<Page<BroadcastMessage>> {
    const { items, total } = await findPage(this.model, {}, { _id: -1 }, input);
    return { items: items.map(view), total };
  }

  @Handles(getBroadcastMessage)
  async get(_: ContextOf<typeof getBroadcastMessage>, { id }: ParsedOf<typeof getBroadcastMessage>) {
    const found = await this.model.findById(id).lean<BroadcastMessageDocument>();
    if (!found) throw broadcastMessageErrors.notFound();
    return view(found);
  }

  @Handles(createBroadcastMessage)
  async create(_: ContextOf<typeof createBroadcastMessage>, input: ParsedOf<typeof createBroadcastMessage>) {
    const changes = changesOf(input);
    const { startsAt = new Date() } = changes;
    const { endsAt = new Date(startsAt.getTime() + hourMs) } = changes;
    requireOrder(startsAt, endsAt);
    const { message } = input;
    const document = { ...defaults, targetAccessLevels: [], ...changes, message, startsAt, endsAt };
    const bound = { model: this.model, filter: {}, most, refusal: broadcastMessageErrors.tooMany };
    const made = await addWithin(bound, async () => {
      const _id = await this.counters.next('broadcast_messages');
      return this.outbox.insert(this.model, { ...document, _id }, newEvent(appearanceChanged, {}));
    });
    return view(made);
  }

  @Handles(updateBroadcastMessage)
  async update(_: ContextOf<typeof updateBroadcastMessage>, input: ParsedOf<typeof updateBroadcastMessage>) {
    const changes = changesOf(input);
    const changed = await changeDocument<BroadcastMessageDocument>(
      this.model,
      { _id: input.id },
      ['startsAt', 'endsAt'],
      async (current) => {
        const after = { ...current, ...changes };
        requireOrder(after.startsAt, after.endsAt);
        return { $set: changes };
      },
      (unchanged, update) => this.outbox.update(this.model, unchanged, update, newEvent(appearanceChanged, {})),
    );
    if (!changed) throw broadcastMessageErrors.notFound();
    return view(changed);
  }

  @Handles(deleteBroadcastMessage)
  async delete(_: ContextOf<typeof deleteBroadcastMessage>, { id }: ParsedOf<typeof deleteBroadcastMessage>) {
    const wasThere = await this.outbox.remove(this.model, id, newEvent(appearanceChanged, {}));
    if (!wasThere) throw broadcastMessageErrors.notFound();
  }
}

function changesOf(input: Omit<ParsedOf<typeof updateBroadcastMessage>, 'id'>): Partial<BroadcastMessageDocument> {
  return onlyGiven<BroadcastMessageDocument>({
    message: input.message,
    startsAt: input.starts_at === undefined ? undefined : new Date(input.starts_at),
    endsAt: input.ends_at === undefined ? undefined : new Date(input.ends_at),
    color: input.color,
    font: input.font,
    theme: input.theme,
    targetAccessLevels: input.target_access_levels,
    targetPath: input.target_path,
    broadcastType: input.broadcast_type,
    dismissable: input.dismissable,
  });
}

/** @throws common.invalid_record */
function requireOrder(startsAt: Date, endsAt: Date): void {
  if (endsAt <= startsAt) throw invalidRecord({ ends_at: ['must be after the start'] });
}

function view(document: BroadcastMessageDocument): BroadcastMessage {
  const now = new Date();
  return {
    id: document._id,
    message: document.message,
    starts_at: document.startsAt.toISOString(),
    ends_at: document.endsAt.toISOString(),
    color: document.color,
    font: document.font,
    theme: document.theme,
    target_access_levels: document.targetAccessLevels,
    target_path: document.targetPath,
    broadcast_type: document.broadcastType,
    dismissable: document.dismissable,
    active: document.startsAt <= now && now < document.endsAt,
  };
}
