import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FilesModule } from '../files/files.module';
import { Packages } from './package.repository';
import { packageSchema } from './package.schema';
import { PackageFiles } from './package-file.repository';
import { packageFileSchema } from './package-file.schema';
import { PackageFilesToCopy } from './package-files-to-copy';
import { packageProtectionRuleSchema } from './package-protection-rule.schema';
import { PackageProtectionRules } from './package-protection-rules';
import { RemovePackages } from './remove-packages';
import { ServePackageFiles } from './serve-package-files';

/** Packages and their files. */
@Module({
  imports: [
    FilesModule,
    MongooseModule.forFeature([
      { name: 'Package', schema: packageSchema },
      { name: 'PackageFile', schema: packageFileSchema },
      { name: 'PackageProtectionRule', schema: packageProtectionRuleSchema },
    ]),
  ],
  providers: [PackageFiles, PackageFilesToCopy, PackageProtectionRules, Packages, RemovePackages, ServePackageFiles],
  exports: [PackageFiles, PackageFilesToCopy, PackageProtectionRules, Packages, RemovePackages, ServePackageFiles],
})
export class PackageModule {}
