import { Module } from '@nestjs/common';
import { SessionModule } from '../session/session.module';
import { UserModule } from '../user/user.module';
import { PlacePage } from './place-page';
import { Places } from './places';
import { SignedIn } from './signed-in';

/** What all pages for browsers have in common. */
@Module({
  imports: [SessionModule, UserModule],
  controllers: [PlacePage],
  providers: [Places, SignedIn],
  exports: [SignedIn],
})
export class PageModule {}
