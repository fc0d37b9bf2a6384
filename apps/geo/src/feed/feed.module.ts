import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Feed } from './feed.repository';
import { feedPageSchema } from './feed-page.schema';
import { ShownProjects } from './shown-projects';

/** Changes that secondaries have to copy, in one order. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'FeedPage', schema: feedPageSchema }])],
  providers: [ShownProjects, Feed],
  exports: [ShownProjects, Feed],
})
export class FeedModule {}
