import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { jobTokenScopeSchema } from './job-token-scope.schema';
import { JobTokenScopes } from './job-token-scopes';

/** Whose jobs projects let in. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'JobTokenScope', schema: jobTokenScopeSchema }])],
  providers: [JobTokenScopes],
  exports: [JobTokenScopes],
})
export class JobTokenScopeModule {}
