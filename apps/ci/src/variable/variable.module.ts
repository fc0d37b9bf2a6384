import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FollowVariableOwners } from './follow-variable-owners';
import { GroupVariableOperations } from './group-variables.operations';
import { InstanceVariableOperations } from './instance-variables.operations';
import { ProjectVariableOperations } from './project-variables.operations';
import { storedVariableSchema } from './stored-variable.schema';
import { StoredVariables } from './stored-variables';
import { VariableTools } from './variable-operations';

/** Variables of projects, groups and the instance for their jobs. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'KeptVariable', schema: storedVariableSchema }])],
  controllers: [GroupVariableOperations, InstanceVariableOperations, ProjectVariableOperations],
  providers: [FollowVariableOwners, StoredVariables, VariableTools],
  exports: [StoredVariables],
})
export class VariableModule {}
