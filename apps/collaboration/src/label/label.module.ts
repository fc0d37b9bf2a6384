import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PromotionModule } from '../promotion/promotion.module';
import { LabelOperations } from './label.operations';
import { Labels } from './label.repository';
import { labelSchema } from './label.schema';
import { LabelCounter } from './label-counter';
import { LabelReferences } from './label-references';
import { LabelsByIds } from './labels-by-ids';
import { ListLabels } from './list-labels';
import { PromoteLabel } from './promote-label';

const collections = MongooseModule.forFeature([{ name: 'Label', schema: labelSchema }]);

@Module({
  imports: [collections, PromotionModule],
  providers: [LabelCounter, LabelReferences, Labels],
  controllers: [LabelOperations, ListLabels, PromoteLabel, LabelsByIds],
  exports: [collections, LabelReferences, Labels],
})
export class LabelModule {}
