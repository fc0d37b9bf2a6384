import { Module } from '@nestjs/common';
import { NotificationModule } from '../notification.module';
import { NotificationSettingsOperations } from './notification-settings.operations';

/** What people say of what they want to hear of. */
@Module({ imports: [NotificationModule], controllers: [NotificationSettingsOperations] })
export class NotificationOperationsModule {}
