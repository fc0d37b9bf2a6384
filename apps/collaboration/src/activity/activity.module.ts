import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { labelEventSchema } from './label-event.schema';
import { noteSchema } from './note.schema';
import { RemoveActivity } from './remove-activity';

const collections = MongooseModule.forFeature([
  { name: 'Note', schema: noteSchema },
  { name: 'LabelEvent', schema: labelEventSchema },
]);

/** What people and changes leave on records, as it is stored. */
@Module({
  imports: [collections],
  providers: [RemoveActivity],
  exports: [collections, RemoveActivity],
})
export class ActivityModule {}
