import { Module } from '@nestjs/common';
import { GitTransportModule } from '../git-transport/git-transport.module';
import { SshKeyAuthenticator } from './authenticate-key';
import { SshServer } from './ssh-server';
import { SshSessions } from './ssh-session';

/** git over SSH. */
@Module({
  imports: [GitTransportModule],
  providers: [SshKeyAuthenticator, SshServer, SshSessions],
})
export class SshModule {}
