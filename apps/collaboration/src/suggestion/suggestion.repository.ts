import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteDocument, NoteSuggestion } from '../activity/note.schema';

/** A suggestion with its note. */
export interface SuggestionRecord {
  note: NoteDocument;
  suggestion: NoteSuggestion;
}

/** The lease of an applying process expires after this time. */
const givenUpAfterMs = 5 * 60_000;

/** Whether another request is applying it. */
export const isClaimed = ({ applyingSince }: NoteSuggestion): boolean =>
  applyingSince !== undefined && Date.now() - applyingSince.getTime() < givenUpAfterMs;

/** Every query on suggestions. */
@Injectable()
export class SuggestionRecords {
  constructor(@InjectModel('Note') private readonly notes: Model<NoteDocument>) {}

  /** By id; deleted ones are left out. */
  async list(ids: number[]): Promise<SuggestionRecord[]> {
    const found = await this.notes.find({ 'suggestions.id': { $in: ids } }).lean<NoteDocument[]>();
    const all = found.flatMap((note) => (note.suggestions ?? []).map((suggestion) => ({ note, suggestion })));
    return all
      .filter(({ suggestion }) => ids.includes(suggestion.id))
      .sort((a, b) => a.suggestion.id - b.suggestion.id);
  }

  /** Takes the lease; of two concurrent requests one succeeds. @returns whether this one did */
  async claim(id: number): Promise<boolean> {
    const now = new Date();
    const isFree = {
      id,
      appliedAt: { $exists: false },
      $or: [
        { applyingSince: { $exists: false } },
        { applyingSince: { $lt: new Date(now.getTime() - givenUpAfterMs) } },
      ],
    };
    const { matchedCount } = await this.notes.updateOne(
      { suggestions: { $elemMatch: isFree } },
      { $set: { 'suggestions.$.applyingSince': now } },
    );
    return matchedCount > 0;
  }

  /** Releases the lease. */
  async release(ids: number[]): Promise<void> {
    for (const id of ids)
      await this.notes.updateOne({ 'suggestions.id': id }, { $unset: { 'suggestions.$.applyingSince': 1 } });
  }

  async settle(ids: number[]): Promise<void> {
    const settled = {
      $set: { 'suggestions.$.appliedAt': new Date() },
      $unset: { 'suggestions.$.applyingSince': 1 },
    } as const;
    for (const id of ids) await this.notes.updateOne({ 'suggestions.id': id }, settled);
  }
}
