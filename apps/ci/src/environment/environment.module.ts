import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeployRights } from './deploy-rights';
import { Deployments } from './deployment.repository';
import { deploymentSchema } from './deployment.schema';
import { Environments } from './environment.repository';
import { environmentSchema } from './environment.schema';
import { protectedEnvironmentSchema } from './protected-environment.schema';
import { ProtectedEnvironments } from './protected-environments';

/** Environments, what was brought there, and who may. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Environment', schema: environmentSchema },
      { name: 'Deployment', schema: deploymentSchema },
      { name: 'ProtectedEnvironment', schema: protectedEnvironmentSchema },
    ]),
  ],
  providers: [Deployments, DeployRights, Environments, ProtectedEnvironments],
  exports: [Deployments, DeployRights, Environments, ProtectedEnvironments],
})
export class EnvironmentModule {}
