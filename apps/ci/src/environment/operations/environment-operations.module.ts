import { Module } from '@nestjs/common';
import { JobModule } from '../../job/job.module';
import { PipelineModule } from '../../pipeline/pipeline.module';
import { EnvironmentModule } from '../environment.module';
import { DeployGrantOwners } from './deploy-grant-owners';
import { DeploymentOperations } from './deployment.operations';
import { DeploymentViews } from './deployment.view';
import { EnvironmentOperations } from './environment.operations';
import { FollowDeployingJobs } from './follow-deploying-jobs';
import { FollowEnvironmentOwners } from './follow-environment-owners';
import { GroupProtectedEnvironmentOperations } from './group-protected-environment.operations';
import { ProtectedEnvironmentOperations } from './protected-environment.operations';
import { SettleDeployment } from './settle-deployment';
import { StopDueEnvironments } from './stop-due-environments';
import { StopEnvironment } from './stop-environment';

/** Operations and event handlers of environments and deployments. */
@Module({
  imports: [EnvironmentModule, JobModule, PipelineModule],
  controllers: [
    DeploymentOperations,
    EnvironmentOperations,
    GroupProtectedEnvironmentOperations,
    ProtectedEnvironmentOperations,
  ],
  providers: [
    DeployGrantOwners,
    DeploymentViews,
    FollowDeployingJobs,
    FollowEnvironmentOwners,
    SettleDeployment,
    StopDueEnvironments,
    StopEnvironment,
  ],
})
export class EnvironmentOperationsModule {}
