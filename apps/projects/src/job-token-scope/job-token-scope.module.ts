import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { jobTokenScopeSchema } from './job-token-scope.schema';
import { JobTokenScopes } from './job-token-scopes';

/** Access of CI jobs to other projects. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'JobTokenScope', schema: jobTokenScopeSchema }])],
  providers: [JobTokenScopes],
  exports: [JobTokenScopes],
})
export class JobTokenScopeModule {}
