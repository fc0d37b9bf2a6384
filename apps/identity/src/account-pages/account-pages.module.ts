import { Module } from '@nestjs/common';
import { ConfirmationPage } from '../email/confirmation-page';
import { EmailOperations } from '../email/email.operations';
import { MailModule } from '../mail/mail.module';
import { PageModule } from '../page/page.module';
import { PasswordPages } from '../password/pages/password-pages';
import { ResetPages } from '../password/pages/reset-pages';
import { SessionModule } from '../session/session.module';
import { SecondFactorPages } from '../sign-in/pages/second-factor-pages';
import { SignInPages } from '../sign-in/pages/sign-in-pages';
import { SignInModule } from '../sign-in/sign-in.module';
import { TwoFactorPages } from '../two-factor/pages/two-factor-pages';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { UserModule } from '../user/user.module';

/** Sign-in, passwords, second factors and confirmation of addresses, in the browser. */
@Module({
  imports: [MailModule, PageModule, SessionModule, SignInModule, TwoFactorModule, UserModule],
  controllers: [
    ConfirmationPage,
    EmailOperations,
    PasswordPages,
    ResetPages,
    SecondFactorPages,
    SignInPages,
    TwoFactorPages,
  ],
})
export class AccountPagesModule {}
