import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { UserModule } from '../user/user.module';
import { Browsers } from './browser';
import { OwnSessions } from './own-sessions.operations';
import { Sessions } from './session.repository';
import { sessionSchema } from './session.schema';

/** Browser sessions. */
@Module({
  imports: [UserModule, MongooseModule.forFeature([{ name: 'Session', schema: sessionSchema }])],
  controllers: [OwnSessions],
  providers: [Browsers, Sessions],
  exports: [Browsers, Sessions],
})
export class SessionModule {}
