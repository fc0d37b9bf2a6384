import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AllDeployTokens, GroupDeployTokens, ProjectDeployTokens } from './deploy-token.operations';
import { DeployTokens } from './deploy-token.repository';
import { deployTokenSchema } from './deploy-token.schema';

/** Deploy tokens of projects and groups: for code, images and packages. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'DeployToken', schema: deployTokenSchema }])],
  controllers: [AllDeployTokens, GroupDeployTokens, ProjectDeployTokens],
  providers: [DeployTokens],
  exports: [DeployTokens],
})
export class DeployTokenModule {}
