import { Mailer } from '@moothall/mail';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { IdentitySettings } from '../settings/settings';
import { UserModule } from '../user/user.module';
import { AccountMails } from './account-mails';
import { MailTokens } from './mail-token.repository';
import { mailTokenSchema } from './mail-token.schema';

/** Mails about accounts, and the tokens in their links. */
@Module({
  imports: [UserModule, MongooseModule.forFeature([{ name: 'MailToken', schema: mailTokenSchema }])],
  providers: [
    AccountMails,
    MailTokens,
    { provide: Mailer, inject: [settingsToken], useFactory: (settings: IdentitySettings) => new Mailer(settings) },
  ],
  exports: [AccountMails, MailTokens],
})
export class MailModule {}
