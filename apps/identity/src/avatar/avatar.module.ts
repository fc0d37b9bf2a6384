import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Avatars, avatarSchema } from './avatar';
import { GetAvatar } from './get-avatar';

/** Avatars of users. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Avatar', schema: avatarSchema }])],
  controllers: [GetAvatar],
  providers: [Avatars],
  exports: [Avatars],
})
export class AvatarModule {}
