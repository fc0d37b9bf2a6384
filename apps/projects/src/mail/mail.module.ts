import { Mailer } from '@moothall/mail';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import type { ProjectsSettings } from '../settings/settings';
import { Mails } from './mails';

/** Mails to users. */
@Module({
  providers: [
    Mails,
    { provide: Mailer, inject: [settingsToken], useFactory: (settings: ProjectsSettings) => new Mailer(settings) },
  ],
  exports: [Mails],
})
export class MailModule {}
