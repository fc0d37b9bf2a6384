import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ArchivedPushRules } from './archived-push-rules';
import { ForgetPushRules } from './forget-push-rules';
import { GroupPushRuleOperations, ProjectPushRuleOperations } from './push-rule.operations';
import { PushRuleSets } from './push-rule.repository';
import { pushRuleSchema } from './push-rule.schema';

/** Rules for commits, files and names of branches. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'PushRule', schema: pushRuleSchema }])],
  controllers: [ArchivedPushRules, GroupPushRuleOperations, ProjectPushRuleOperations],
  providers: [ForgetPushRules, PushRuleSets],
  exports: [PushRuleSets],
})
export class PushRuleModule {}
