import { type ContextOf, countTalkRecords, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

/** Estimated counts from collection metadata, without reading documents. */
@Controller()
export class CountRecords {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  @Handles(countTalkRecords)
  async count(_: ContextOf<typeof countTalkRecords>, __: ParsedOf<typeof countTalkRecords>) {
    const of = (name: string) => this.connection.collection(name).estimatedDocumentCount();
    return {
      issues: await of('issues'),
      merge_requests: await of('merge_requests'),
      notes: await of('notes'),
      snippets: await of('snippets'),
      milestones: await of('milestones'),
    };
  }
}
