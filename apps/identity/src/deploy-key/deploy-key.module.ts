import { Module } from '@nestjs/common';
import { SshKeyModule } from '../ssh-key/ssh-key.module';
import { AccessibleKeys } from './accessible';
import { AddDeployKey } from './add-deploy-key';
import { DeployKeyOperations } from './deploy-key.operations';
import { DeployKeys } from './deploy-key.repository';

/** Deploy keys of projects. */
@Module({
  imports: [SshKeyModule],
  controllers: [AddDeployKey, DeployKeyOperations],
  providers: [AccessibleKeys, DeployKeys],
  exports: [DeployKeys],
})
export class DeployKeyModule {}
