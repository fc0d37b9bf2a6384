import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Releases } from './release.repository';
import { releaseSchema } from './release.schema';
import { ReleaseViews } from './release-views';

/** Releases and their links. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Release', schema: releaseSchema }])],
  providers: [Releases, ReleaseViews],
  exports: [Releases, ReleaseViews],
})
export class ReleaseModule {}
