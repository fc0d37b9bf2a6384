import { Module } from '@nestjs/common';
import { SessionModule } from '../session/session.module';
import { IdentifyBrowser } from './identify-browser';
import { SignedIn } from './signed-in';

/** Shared parts of all pages for browsers. */
@Module({
  imports: [SessionModule],
  controllers: [IdentifyBrowser],
  providers: [SignedIn],
  exports: [SignedIn],
})
export class PageModule {}
