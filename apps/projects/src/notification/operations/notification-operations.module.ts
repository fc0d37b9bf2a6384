import { Module } from '@nestjs/common';
import { NotificationModule } from '../notification.module';
import { NotificationSettingsOperations } from './notification-settings.operations';

/** Operations on notification settings. */
@Module({ imports: [NotificationModule], controllers: [NotificationSettingsOperations] })
export class NotificationOperationsModule {}
