import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FollowVariableOwners } from './follow-variable-owners';
import { GroupVariableOperations } from './group-variables.operations';
import { InstanceVariableOperations } from './instance-variables.operations';
import { keptVariableSchema } from './kept-variable.schema';
import { KeptVariableTools } from './kept-variable-operations';
import { KeptVariables } from './kept-variables';
import { ProjectVariableOperations } from './project-variables.operations';

/** Variables that projects, groups and the instance keep for their jobs. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'KeptVariable', schema: keptVariableSchema }])],
  controllers: [GroupVariableOperations, InstanceVariableOperations, ProjectVariableOperations],
  providers: [FollowVariableOwners, KeptVariables, KeptVariableTools],
  exports: [KeptVariables],
})
export class VariableModule {}
