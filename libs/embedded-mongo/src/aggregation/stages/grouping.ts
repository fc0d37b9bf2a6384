import { decodeDocument } from '../../bson/decode';
import { encodeDocument } from '../../bson/encode';
import { keyString } from '../../bson/index-key';
import type { Document, Value } from '../../bson/value';
import type { Evaluate } from '../../expression/expression';
import type { Accumulator, Hold } from '../../expression/terms/accumulators';
import type { ScratchFile } from '../../spill/scratch-file';
import { BATCH_DOCUMENTS, type Batches, inBatches, MemoryMeter, type StageContext } from './stage';

/** One field of what a group gives. */
export interface Output {
  name: string;
  create(hold: Hold): Accumulator;
}

export interface Group {
  id: Value;
  accumulators: Accumulator[];
}

/** What a group takes besides its key and the values it keeps, about. */
const GROUP_BYTES = 200;
const ACCUMULATOR_BYTES = 100;
/** Documents that are put aside go into so many files, by their group's key. */
const PARTITIONS = 16;
/** How often what was put aside may be divided again; a single group that outgrows memory cannot be. */
const MAX_DIVISIONS = 3;

/**
 * Groups documents by key equality as compared: 1, 1.0 and NumberLong(1) are one group, missing is null.
 *
 * When the groups take more memory than they may, they stand still, and the documents that still come are put aside
 * in files, each group's in one file. Then the files are taken one after the other, each with the groups that belong
 * to it, which are given and forgotten before the next. What outgrows memory there is divided again.
 * @throws QueryExceededMemoryLimitNoDiskUseAllowed (292)
 */
export class Grouping {
  /** Of the division under way: groups that were begun before it grow in it too. */
  private meter: MemoryMeter;

  constructor(
    private readonly id: Evaluate,
    private readonly outputs: readonly Output[],
    private readonly context: StageContext,
  ) {
    this.meter = new MemoryMeter('$group', context);
  }

  groups(input: Batches): AsyncGenerator<Group> {
    return this.gather(input, new Map(), 0);
  }

  /** @param groups those there are already */
  private async *gather(input: Batches, groups: Map<string, Group>, division: number): AsyncGenerator<Group> {
    const { scope, collation, takeTurn } = this.context;
    this.meter = new MemoryMeter('$group', this.context);
    const partitions = new Partitions(this.context, division);
    try {
      for await (const batch of input) {
        for (const document of batch) {
          const value = this.id(document, scope) ?? null;
          const key = keyString(value, collation);
          if (partitions.areOpen) partitions.add(key, document);
          else {
            this.add(groups, key, value, document);
            if (this.meter.isOver) partitions.open(this.meter);
          }
        }
        await takeTurn?.();
      }
      if (!partitions.areOpen) yield* groups.values();
      else yield* this.gatherPartitions(partitions, groups, division);
    } finally {
      partitions.close();
    }
  }

  private add(groups: Map<string, Group>, key: string, id: Value, document: Document): void {
    let group = groups.get(key);
    if (!group) {
      this.meter.count(id, GROUP_BYTES + this.outputs.length * ACCUMULATOR_BYTES);
      group = { id, accumulators: this.outputs.map(({ create }) => create((held) => this.meter.count(held))) };
      groups.set(key, group);
    }
    for (const accumulator of group.accumulators) accumulator.add(document, this.context.scope);
  }

  private async *gatherPartitions(
    partitions: Partitions,
    groups: Map<string, Group>,
    division: number,
  ): AsyncGenerator<Group> {
    const shares = Array.from({ length: PARTITIONS }, () => new Map<string, Group>());
    let moved = 0;
    for (const [key, group] of groups) {
      shares[partitions.placeOf(key)]!.set(key, group);
      if (++moved % BATCH_DOCUMENTS === 0) await this.context.takeTurn?.();
    }
    groups.clear();
    for (const [place, share] of shares.entries()) {
      yield* this.gather(inBatches(partitions.documents(place), this.context), share, division + 1);
      share.clear();
    }
  }
}

/** Documents put aside, divided by the keys of their groups. */
class Partitions {
  private files: (ScratchFile | undefined)[] | undefined;

  constructor(
    private readonly context: StageContext,
    private readonly division: number,
  ) {}

  get areOpen(): boolean {
    return this.files !== undefined;
  }

  open(meter: MemoryMeter): void {
    if (!this.context.openScratch || this.division >= MAX_DIVISIONS) throw meter.refusal();
    this.files = new Array(PARTITIONS).fill(undefined);
  }

  /** Another division of the same keys with each level, by another hash. */
  placeOf(key: string): number {
    let hash = this.division * 0x9e3779b1;
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
    return ((hash ^ (hash >>> 15)) >>> 0) % PARTITIONS;
  }

  add(key: string, document: Document): void {
    const place = this.placeOf(key);
    this.files![place] ??= this.context.openScratch!();
    this.files![place].append(encodeDocument(document));
  }

  *documents(place: number): Generator<Document> {
    const file = this.files?.[place];
    if (!file) return;
    for (const record of file.records()) yield decodeDocument(record);
    file.close();
  }

  close(): void {
    for (const file of this.files ?? []) file?.close();
  }
}
