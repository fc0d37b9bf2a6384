import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { RegistryClientModule } from '../registry-client/registry-client.module';
import { RepositoryModule } from '../repository/repository.module';
import { KnownTag } from './known-tag';
import { LookAtTag } from './look-at-tag';
import { RemoveTags } from './remove-tags';
import { Tags } from './tag.repository';
import { tagSchema } from './tag.schema';
import { TagViews } from './tag.view';

/** Stored tags, and their removal from the registry. */
@Module({
  imports: [RegistryClientModule, RepositoryModule, MongooseModule.forFeature([{ name: 'Tag', schema: tagSchema }])],
  providers: [KnownTag, LookAtTag, RemoveTags, Tags, TagViews],
  exports: [KnownTag, LookAtTag, RemoveTags, Tags, TagViews],
})
export class TagModule {}
