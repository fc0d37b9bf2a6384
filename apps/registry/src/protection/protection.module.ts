import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { protectionRuleSchema } from './protection-rule.schema';
import { ProtectionRules } from './protection-rules';

/** Rules that protect images and tags. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ProtectionRule', schema: protectionRuleSchema }])],
  providers: [ProtectionRules],
  exports: [ProtectionRules],
})
export class ProtectionModule {}
