import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { UserModule } from '../user/user.module';
import { GpgKeyOperations } from './gpg-key.operations';
import { GpgKeys } from './gpg-key.repository';
import { gpgKeySchema } from './gpg-key.schema';

/** GPG keys of users. */
@Module({
  imports: [UserModule, MongooseModule.forFeature([{ name: 'GpgKey', schema: gpgKeySchema }])],
  controllers: [GpgKeyOperations],
  providers: [GpgKeys],
  exports: [GpgKeys],
})
export class GpgKeyModule {}
