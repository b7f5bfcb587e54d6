#include "runtime/share/share_socket.hpp"

#include <sys/socket.h>

#include <cstring>
#include <type_traits>

namespace aclvk::runtime {
namespace {

static_assert(std::is_trivially_copyable_v<ShareRequest> && std::is_trivially_copyable_v<ShareAnswer>);

}  // namespace

bool send_request(const File& connection, const ShareRequest& request) {
  const auto call = [&] { return send(connection.fd(), &request, sizeof(request), MSG_NOSIGNAL); };
  return retry_interrupted(kShareService, call) == sizeof(request);
}

bool receive_request(const File& connection, ShareRequest& request) {
  const auto call = [&] { return recv(connection.fd(), &request, sizeof(request), 0); };
  return retry_interrupted(kShareService, call) == sizeof(request);
}

// The file is an ancillary message (cmsg(3)). Its buffer has the alignment of the header.
void send_answer(const File& connection, const ShareAnswer& answer, int file) {
  ShareAnswer packet = answer;
  iovec data{&packet, sizeof(packet)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof(file));
  }
  // The result is ignored: a peer that has disconnected needs no answer.
  retry_interrupted(kShareService, [&] { return sendmsg(connection.fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT); });
}

bool receive_answer(const File& connection, ShareAnswer& answer, File& file) {
  iovec data{&answer, sizeof(answer)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  // Programs that this process starts must not inherit the file.
  const auto call = [&] { return recvmsg(connection.fd(), &message, MSG_CMSG_CLOEXEC); };
  const ssize_t size = retry_interrupted(kShareService, call);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof(number));
    file = File(number);
  }
  return size == sizeof(answer);
}

}  // namespace aclvk::runtime
