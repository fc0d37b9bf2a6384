import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ApplicationModule } from '../application/application.module';
import { UserModule } from '../user/user.module';
import { Claims } from './claims';
import { IdTokens } from './id-token';
import { OpenidOperations } from './openid.operations';
import { SigningKeys, signingKeySchema } from './signing-key';

/** Id tokens, and keys to verify them. */
@Module({
  imports: [
    ApplicationModule,
    UserModule,
    MongooseModule.forFeature([{ name: 'SigningKey', schema: signingKeySchema }]),
  ],
  controllers: [OpenidOperations],
  providers: [Claims, IdTokens, SigningKeys],
  exports: [IdTokens],
})
export class OpenidModule {}
