import {
  type ContextOf,
  disableTwoFactor,
  enableTwoFactor,
  type ParsedOf,
  type Reply,
  showTwoFactor,
} from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { Handles } from '@moothall/messaging';
import { AccountNavigation, CsrfField, Notice } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { toString as qrCode } from 'qrcode';
import { renderFor } from '../../page/page-views';
import { SignedIn } from '../../page/signed-in';
import type { Visit } from '../../session/browser';
import { Sessions } from '../../session/session.repository';
import { CheckPassword } from '../../sign-in/check-password';
import type { User } from '../../user/user.schema';
import { TwoFactors } from '../two-factor';

type Result = Promise<Reply<string>>;

const path = '/-/profile/two_factor_auth';
const wrongCode = 'Invalid code. Scan the new picture and try again.';

@Controller()
export class TwoFactorPages {
  constructor(
    private readonly signedIn: SignedIn,
    private readonly twoFactors: TwoFactors,
    private readonly passwords: CheckPassword,
    private readonly sessions: Sessions,
  ) {}

  @Handles(showTwoFactor)
  show(context: ContextOf<typeof showTwoFactor>): Result {
    return this.signedIn.show(context, path, async (visit, user) =>
      user.twoFactor ? disableForm(visit) : this.enableForm(visit, user, this.twoFactors.newSecret()),
    );
  }

  @Handles(enableTwoFactor)
  enable(context: ContextOf<typeof enableTwoFactor>, input: ParsedOf<typeof enableTwoFactor>): Result {
    return this.signedIn.take(context, path, input.csrf, async (visit, user) => {
      if (user.twoFactor) return disableForm(visit);
      const { secret = '', code = '' } = input;
      const proven = this.twoFactors.prove(secret, code);
      if (!proven) return this.enableForm(visit, user, this.twoFactors.newSecret(), wrongCode);
      // Ends sessions that used the password only. Before the factor is enabled, because it cannot be repeated
      // afterwards.
      await this.sessions.endOfUser(user._id, visit.cookie);
      await this.twoFactors.enable(user, proven.twoFactor);
      unattended('the end of sessions that began meanwhile', this.sessions.endOfUser(user._id, visit.cookie));
      return recoveryCodesPage(visit, proven.recoveryCodes);
    });
  }

  @Handles(disableTwoFactor)
  disable(context: ContextOf<typeof disableTwoFactor>, input: ParsedOf<typeof disableTwoFactor>): Result {
    return this.signedIn.take(context, path, input.csrf, async (visit, user) => {
      const holder = await this.passwords.holder(user.username, input.current_password ?? '', visit.ip);
      if (holder?._id !== user._id) return disableForm(visit, 'Invalid password.');
      await this.twoFactors.disable(user);
      return this.enableForm(visit, user, this.twoFactors.newSecret(), undefined, 'Two-factor authentication is off.');
    });
  }

  private async enableForm(
    visit: Visit,
    user: User,
    secret: string,
    problem?: string,
    success?: string,
  ): Promise<Reply<string>> {
    const picture = await qrCode(this.twoFactors.addressOf(secret, user), { type: 'svg', margin: 2 });
    return renderFor(visit, {
      title: 'Two-factor authentication',
      navigation: <AccountNavigation />,
      status: problem ? 422 : 200,
      body: (
        <>
          <Notice>{problem}</Notice>
          <Notice kind="success">{success}</Notice>
          <SecretKey secret={secret} picture={picture} />
          <EnableForm csrf={visit.csrf} secret={secret} />
        </>
      ),
    });
  }
}

const SecretKey = ({ secret, picture }: { secret: string; picture: string }) => (
  <>
    <p>
      Scan the QR code with an authenticator app, or enter this key: <code>{secret}</code>
    </p>
    <QrCode picture={picture} />
  </>
);

/** The picture is trusted: the package qrcode makes it, and puts no text of users in it. */
const QrCode = ({ picture }: { picture: string }) => (
  <div role="img" class="qr" aria-label="QR code of the key above" dangerouslySetInnerHTML={{ __html: picture }} />
);

const EnableForm = ({ csrf, secret }: { csrf: string; secret: string }) => (
  <form method="post" action={path}>
    <CsrfField csrf={csrf} />
    <input type="hidden" name="secret" value={secret} />
    <label for="code">Six-digit code of the app</label>
    <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required />
    <button type="submit">Switch on</button>
  </form>
);

const disableForm = (visit: Visit, problem?: string): Reply<string> =>
  renderFor(visit, {
    title: 'Two-factor authentication',
    navigation: <AccountNavigation />,
    status: problem ? 422 : 200,
    body: (
      <>
        <Notice>{problem}</Notice>
        <p>Two-factor authentication is on.</p>
        <form method="post" action={`${path}/disable`}>
          <CsrfField csrf={visit.csrf} />
          <label for="current_password">Your password</label>
          <input
            id="current_password"
            name="current_password"
            type="password"
            autocomplete="current-password"
            required
          />
          <button type="submit" class="quiet">
            Switch off
          </button>
        </form>
      </>
    ),
  });

const recoveryCodesPage = (visit: Visit, codes: string[]): Reply<string> =>
  renderFor(visit, {
    title: 'Recovery codes',
    body: (
      <>
        <Notice kind="success">Two-factor authentication is on.</Notice>
        <p>Each of these codes signs you in once if you do not have your phone. They are not shown again.</p>
        <ul>
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </>
    ),
  });
