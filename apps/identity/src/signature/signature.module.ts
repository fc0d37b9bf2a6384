import { Module } from '@nestjs/common';
import { GpgKeyModule } from '../gpg-key/gpg-key.module';
import { SshKeyModule } from '../ssh-key/ssh-key.module';
import { UserModule } from '../user/user.module';
import { VerifySignature } from './verify-signature';

/** Verifies signatures of commits with keys of users. */
@Module({ imports: [GpgKeyModule, SshKeyModule, UserModule], controllers: [VerifySignature] })
export class SignatureModule {}
