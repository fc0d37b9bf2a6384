import { Module } from '@nestjs/common';
import { ProjectModule } from '../../project/project.module';
import { PackageModule } from '../package.module';
import { GenericPackages } from './generic-packages';
import { PackageOperations } from './package-operations';
import { PackageProtectionRuleOperations } from './package-protection-rule.operations';

/** Operations on packages. */
@Module({
  imports: [PackageModule, ProjectModule],
  controllers: [GenericPackages, PackageOperations, PackageProtectionRuleOperations],
})
export class PackageOperationsModule {}
