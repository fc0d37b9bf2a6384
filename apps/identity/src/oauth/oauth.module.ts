import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthorizationCodes } from './authorization-code.repository';
import { authorizationCodeSchema } from './authorization-code.schema';
import { OauthTokens } from './oauth-token.repository';
import { oauthTokenSchema } from './oauth-token.schema';

/** Storage of codes and tokens. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'AuthorizationCode', schema: authorizationCodeSchema },
      { name: 'OauthToken', schema: oauthTokenSchema },
    ]),
  ],
  providers: [AuthorizationCodes, OauthTokens],
  exports: [AuthorizationCodes, OauthTokens],
})
export class OauthModule {}
