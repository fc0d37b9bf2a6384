import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteDocument, NoteSuggestion } from '../activity/note.schema';

/** A suggestion with the note that makes it. */
export interface SuggestionRecord {
  note: NoteDocument;
  suggestion: NoteSuggestion;
}

/** After this time an applying process has ended. */
const givenUpAfterMs = 5 * 60_000;

/** Whether somebody applies it just now. */
export const isClaimed = ({ applyingSince }: NoteSuggestion): boolean =>
  applyingSince !== undefined && Date.now() - applyingSince.getTime() < givenUpAfterMs;

/** Every query on suggestions. */
@Injectable()
export class SuggestionRecords {
  constructor(@InjectModel('Note') private readonly notes: Model<NoteDocument>) {}

  /** By id; those that are gone are left out. */
  async list(ids: number[]): Promise<SuggestionRecord[]> {
    const found = await this.notes.find({ 'suggestions.id': { $in: ids } }).lean<NoteDocument[]>();
    const all = found.flatMap((note) => (note.suggestions ?? []).map((suggestion) => ({ note, suggestion })));
    return all
      .filter(({ suggestion }) => ids.includes(suggestion.id))
      .sort((a, b) => a.suggestion.id - b.suggestion.id);
  }

  /** Of two that apply it at once one does. @returns whether this one may */
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

  /** They are as before. */
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
