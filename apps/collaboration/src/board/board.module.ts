import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Boards } from './board.repository';
import { boardSchema } from './board.schema';

const collections = MongooseModule.forFeature([{ name: 'Board', schema: boardSchema }]);

@Module({
  imports: [collections],
  providers: [Boards],
  exports: [collections, Boards],
})
export class BoardModule {}
