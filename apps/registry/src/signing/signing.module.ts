import { Module } from '@nestjs/common';
import { TokenKey } from './token-key';

/** The key that tokens for the registry are signed with. */
@Module({ providers: [TokenKey], exports: [TokenKey] })
export class SigningModule {}
