import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeployRights } from './deploy-rights';
import { Deployments } from './deployment.repository';
import { deploymentSchema } from './deployment.schema';
import { Environments } from './environment.repository';
import { environmentSchema } from './environment.schema';
import { groupProtectedEnvironmentSchema, protectedEnvironmentSchema } from './protected-environment.schema';
import { GroupProtectedEnvironments, ProtectedEnvironments } from './protected-environments';

/** Environments, deployments and rights. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Environment', schema: environmentSchema },
      { name: 'Deployment', schema: deploymentSchema },
      { name: 'ProtectedEnvironment', schema: protectedEnvironmentSchema },
      { name: 'GroupProtectedEnvironment', schema: groupProtectedEnvironmentSchema },
    ]),
  ],
  providers: [Deployments, DeployRights, Environments, GroupProtectedEnvironments, ProtectedEnvironments],
  exports: [Deployments, DeployRights, Environments, GroupProtectedEnvironments, ProtectedEnvironments],
})
export class EnvironmentModule {}
