import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { ArchivedProtections } from './archived-protections';
import { ListProtections } from './list-protections';
import { DefaultProtection } from './protect-default';
import { ProtectedBranchOperations } from './protected-branch.operations';
import { ProtectedRefs } from './protected-ref.repository';
import { protectedRefSchema } from './protected-ref.schema';
import { ProtectedTagOperations } from './protected-tag.operations';
import { PushRulebook } from './push-rules';

/** Protected branches and tags, and the rules for pushes. */
@Module({
  imports: [
    MongooseModule.forFeature([{ name: 'ProtectedRef', schema: protectedRefSchema }]),
    RecordModule,
    StorageModule,
  ],
  controllers: [ArchivedProtections, ListProtections, ProtectedBranchOperations, ProtectedTagOperations],
  providers: [DefaultProtection, ProtectedRefs, PushRulebook],
  exports: [DefaultProtection, ProtectedRefs, PushRulebook],
})
export class ProtectionModule {}
