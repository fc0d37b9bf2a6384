import { Module } from '@nestjs/common';
import { SessionModule } from '../session/session.module';
import { UserModule } from '../user/user.module';
import { ResourcePage } from './resource-page';
import { ResourcesByPath } from './resources-by-path';
import { SignedIn } from './signed-in';

/** What all pages for browsers have in common. */
@Module({
  imports: [SessionModule, UserModule],
  controllers: [ResourcePage],
  providers: [ResourcesByPath, SignedIn],
  exports: [SignedIn],
})
export class PageModule {}
