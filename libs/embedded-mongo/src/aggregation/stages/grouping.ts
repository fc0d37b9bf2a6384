import { decodeDocument } from '../../bson/decode';
import { encodeDocument } from '../../bson/encode';
import { keyString } from '../../bson/index-key';
import type { Document, Value } from '../../bson/value';
import type { Evaluate } from '../../expression/expression';
import type { Accumulator, Hold } from '../../expression/terms/accumulators';
import type { ScratchFile } from '../../spill/scratch-file';
import { BATCH_DOCUMENTS, type Batches, inBatches, MemoryMeter, type StageContext } from './stage';

/** One field of a group's result. */
export interface Output {
  name: string;
  create(hold: Hold): Accumulator;
}

export interface Group {
  id: Value;
  accumulators: Accumulator[];
}

/** Approximate memory of a group besides its key and values. */
const GROUP_BYTES = 200;
const ACCUMULATOR_BYTES = 100;
/** Number of files for spilled documents, by their group's key. */
const PARTITIONS = 16;
/** Limit of repeated partitions of spilled documents; a single group that exceeds the memory cannot be partitioned. */
const MAX_DIVISIONS = 3;

/**
 * Groups documents by key equality as compared: 1, 1.0 and NumberLong(1) are one group, missing is null.
 *
 * When the groups exceed their memory, they are frozen, and further documents are written to files, each group's to
 * one file. Then the files are processed one after the other, each with its groups, which are returned and freed
 * before the next. A file that exceeds the memory is partitioned again.
 * @throws QueryExceededMemoryLimitNoDiskUseAllowed (292)
 */
export class Grouping {
  /** Of the current partition: its existing groups grow too. */
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

  /** @param groups the existing ones */
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

/** Spilled documents, partitioned by the keys of their groups. */
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

  /** A different hash at each level partitions the same keys differently. */
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
