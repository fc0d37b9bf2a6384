import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { UserModule } from '../user/user.module';
import { FindKey } from './find-key';
import { SshKeys } from './ssh-key.repository';
import { sshKeySchema } from './ssh-key.schema';
import { UserKeys } from './user-keys.operations';

/** SSH keys of users. */
@Module({
  imports: [UserModule, MongooseModule.forFeature([{ name: 'SshKey', schema: sshKeySchema }])],
  controllers: [FindKey, UserKeys],
  providers: [SshKeys],
  exports: [MongooseModule, SshKeys],
})
export class SshKeyModule {}
