import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { boardSchema } from './board.schema';

const collections = MongooseModule.forFeature([{ name: 'Board', schema: boardSchema }]);

@Module({
  imports: [collections],
  exports: [collections],
})
export class BoardModule {}
