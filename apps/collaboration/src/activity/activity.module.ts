import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { draftNoteSchema } from './draft-note.schema';
import { noteSchema } from './note.schema';
import { RemoveActivity } from './remove-activity';
import { resourceEventModels } from './resource-event.schema';

const collections = MongooseModule.forFeature([
  { name: 'Note', schema: noteSchema },
  { name: 'DraftNote', schema: draftNoteSchema },
  ...resourceEventModels,
]);

/** Schemas of notes, awards and resource events. */
@Module({
  imports: [collections],
  providers: [RemoveActivity],
  exports: [collections, RemoveActivity],
})
export class ActivityModule {}
