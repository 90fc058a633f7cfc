package dev.postrider.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The model of the document about domain events to RabbitMQ. */
final class FamilyHub {

    private static final Duration VALID = Duration.ofDays(14);

    private FamilyHub() {}

    record InvitationId(UUID value) {}

    record FamilyId(UUID value) {}

    record UserId(UUID value) {}

    record Email(String value) {}

    record Role(String value) {}

    record Token(String value) {}

    record FamilyMemberInvitedEvent(
            UUID eventId,
            Instant occurredOn,
            int eventVersion,
            InvitationId invitationId,
            FamilyId familyId,
            Email email,
            Role role,
            Token token,
            Instant expiresAt,
            UserId invitedByUserId,
            boolean isResend) {}

    /** Who invites whom to which family. */
    record Invitation(FamilyId familyId, Email email, Role role, Token token, UserId invitedBy) {}

    @Entity(name = "FamilyMemberInvitation")
    static class FamilyMemberInvitation extends AggregateRoot {

        @Id
        UUID id = new UUID(0, 0);

        UUID family = new UUID(0, 0);

        String email = "";

        static FamilyMemberInvitation createEmailInvitation(
                InvitationId id, Invitation invitation, UUID eventId, Instant now) {
            FamilyMemberInvitation created = new FamilyMemberInvitation();
            created.id = id.value();
            created.family = invitation.familyId().value();
            created.email = invitation.email().value();
            created.recordEvent(new FamilyMemberInvitedEvent(
                    eventId,
                    now,
                    1,
                    id,
                    invitation.familyId(),
                    invitation.email(),
                    invitation.role(),
                    invitation.token(),
                    now.plus(VALID),
                    invitation.invitedBy(),
                    false));
            return created;
        }
    }
}
