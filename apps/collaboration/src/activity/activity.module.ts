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

/** What people and changes leave on records, as it is stored. */
@Module({
  imports: [collections],
  providers: [RemoveActivity],
  exports: [collections, RemoveActivity],
})
export class ActivityModule {}
