import { Module } from '@nestjs/common';
import { TokenKey } from './token-key';

/** The key for signing registry tokens. */
@Module({ providers: [TokenKey], exports: [TokenKey] })
export class SigningModule {}
