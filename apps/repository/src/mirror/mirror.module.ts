import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { OutboundModule } from '../outbound/outbound.module';
import { ProtectionModule } from '../protection/protection.module';
import { StorageModule } from '../storage/storage.module';
import { MirrorLfsObjects } from './mirror-lfs-objects';
import { MirrorPushes } from './mirror-pushes';
import { RemoteMirrorOperations } from './remote-mirror.operations';
import { RemoteMirrors } from './remote-mirror.repository';
import { remoteMirrorSchema } from './remote-mirror.schema';

/** Mirrors on other servers. */
@Module({
  imports: [
    MongooseModule.forFeature([{ name: 'RemoteMirror', schema: remoteMirrorSchema }]),
    OutboundModule,
    ProtectionModule,
    StorageModule,
  ],
  controllers: [RemoteMirrorOperations],
  providers: [MirrorLfsObjects, MirrorPushes, RemoteMirrors],
  exports: [RemoteMirrors],
})
export class MirrorModule {}
