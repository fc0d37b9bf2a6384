import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { UserModule } from '../user/user.module';
import { CreateToken } from './create-token';
import { ImpersonationTokens } from './impersonation-token.operations';
import { RotateToken } from './rotate-token';
import { TokenOperations } from './token.operations';
import { AccessTokens } from './token.repository';
import { tokenSchema } from './token.schema';

/** Personal access tokens, and impersonation tokens. */
@Module({
  imports: [UserModule, MongooseModule.forFeature([{ name: 'AccessToken', schema: tokenSchema }])],
  controllers: [CreateToken, ImpersonationTokens, RotateToken, TokenOperations],
  providers: [AccessTokens],
  exports: [AccessTokens],
})
export class TokenModule {}
