import { Module } from '@nestjs/common';
import { SessionModule } from '../session/session.module';
import { UserModule } from '../user/user.module';
import { ResourcePage } from './resource-page';
import { ResourcesByPath } from './resources-by-path';
import { SignedIn } from './signed-in';

/** Shared parts of all pages for browsers. */
@Module({
  imports: [SessionModule, UserModule],
  controllers: [ResourcePage],
  providers: [ResourcesByPath, SignedIn],
  exports: [SignedIn],
})
export class PageModule {}
